from killpoint.compose.docker_container import Container, body_of


def test_nothing_is_asked_for_that_was_not_wished() -> None:
    config = Container("image", {"a": "b"}).config()
    host = config["HostConfig"]
    assert (config["Image"], config["Labels"]) == ("image", {"a": "b"})
    assert "Cmd" not in config
    assert "User" not in config
    assert (host["Memory"], host["MemorySwap"]) == (0, 0)
    assert (host["PortBindings"], host["Binds"], host["Tmpfs"]) == ({}, [], {})


def test_no_container_is_started_again_by_the_engine() -> None:
    assert Container("image", {}).config()["HostConfig"]["RestartPolicy"] == {"Name": "no"}


def test_wishes_are_in_the_words_of_the_engine() -> None:
    config = Container(
        image="image",
        labels={},
        environment={"A": "1=2"},
        command=("run", "me"),
        network="net",
        ports=(9092,),
        volumes=("/a:/b:ro",),
        in_memory=("/data",),
        user="1000:1000",
        memory=7 << 20,
    ).config()
    host = config["HostConfig"]
    assert (config["Env"], config["Cmd"], config["User"]) == (["A=1=2"], ["run", "me"], "1000:1000")
    assert host["NetworkMode"] == "net"
    assert host["PortBindings"] == {"9092/tcp": [{"HostIp": "127.0.0.1", "HostPort": "9092"}]}
    assert (host["Binds"], host["Tmpfs"]) == (["/a:/b:ro"], {"/data": ""})
    assert host["Memory"] == host["MemorySwap"] == 7 << 20


MADE = {
    "Id": "0123456789abcdef",
    "Config": {
        "Image": "image",
        "Hostname": "0123456789ab",
        "Env": ["A=1", "B=2"],
        "Cmd": ["run"],
        "Entrypoint": None,
        "Labels": {"com.docker.compose.project": "p", "killpoint.run": "r"},
        "Healthcheck": {"Test": ["CMD", "look"]},
    },
    "HostConfig": {"Memory": 7, "RestartPolicy": {"Name": "always"}, "NetworkMode": "net"},
    "NetworkSettings": {
        "Networks": {"net": {"Aliases": ["app", "0123456789ab"], "EndpointID": ""}}
    },
}


def test_a_container_like_another_keeps_what_that_is_made_of() -> None:
    config = Container("image", {}, {"B": "3", "C": "4"}, body=body_of(MADE)).config()
    assert (config["Image"], config["Cmd"]) == ("image", ["run"])
    assert config["Env"] == ["A=1", "B=3", "C=4"]
    assert config["HostConfig"]["Memory"] == 7
    assert Container("image", {}, command=("x",), body=body_of(MADE)).config()["Cmd"] == ["x"]


def test_a_container_like_another_is_neither_composes_nor_the_engines() -> None:
    body = body_of(MADE)
    assert body["Labels"] == {"killpoint.run": "r"}
    assert body["Healthcheck"] == {"Test": ["NONE"]}
    assert body["HostConfig"]["RestartPolicy"] == {"Name": "no"}
    assert body["NetworkingConfig"]["EndpointsConfig"] == {"net": {"Aliases": ["app"]}}
    assert "Hostname" not in body
    assert "Entrypoint" not in body

"""The volumes, folders and table of hosts of containers that are made like another."""

from killpoint.compose.container_body import led_to, volumes_of, with_binds, with_volumes


def test_volumes_with_a_name_are_other_ones_for_each_container() -> None:
    body = {"HostConfig": {"Binds": ["/a:/b:ro", "p_data:/data:rw", "p_in:/in:ro"], "Mounts": None}}
    assert volumes_of(body) == ["p_data", "p_in"]
    made = with_volumes(body, {"p_data": "v1", "p_in": "v2"}, {"run": "r"})["HostConfig"]
    assert made["Binds"] == ["/a:/b:ro"]
    assert [(m["Source"], m["Target"], m["ReadOnly"]) for m in made["Mounts"]] == [
        ("v1", "/data", False),
        ("v2", "/in", True),
    ]
    assert made["Mounts"][0]["VolumeOptions"] == {"Labels": {"run": "r"}}


def test_folders_of_this_machine_are_added() -> None:
    body = {"HostConfig": {"Binds": None, "Memory": 1}}
    assert with_binds(body, ("/a:/b",))["HostConfig"] == {"Binds": ["/a:/b"], "Memory": 1}


def test_names_lead_to_one_place_and_other_entries_stay() -> None:
    body = {"HostConfig": {"ExtraHosts": ["kafka:172.18.0.1", "mail:10.0.0.9"], "Memory": 1}}
    assert led_to(body, ("kafka", "db"), "172.20.0.1")["HostConfig"] == {
        "ExtraHosts": ["mail:10.0.0.9", "kafka:172.20.0.1", "db:172.20.0.1"],
        "Memory": 1,
    }
    assert led_to({"HostConfig": {"ExtraHosts": None}}, ("db",), "172.20.0.1")["HostConfig"] == {
        "ExtraHosts": ["db:172.20.0.1"]
    }

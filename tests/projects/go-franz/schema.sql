create table balances (
    account text primary key,
    cents bigint not null
);

create table applied (
    topic text not null,
    partition integer not null,
    next_offset bigint not null,
    primary key (topic, partition)
);

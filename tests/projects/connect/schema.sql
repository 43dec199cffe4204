create table reading (
    id     text   not null,
    sensor text   not null,
    value  bigint not null
);

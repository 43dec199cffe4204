create table reading (
    id     text   primary key,
    sensor text   not null,
    value  bigint not null
);

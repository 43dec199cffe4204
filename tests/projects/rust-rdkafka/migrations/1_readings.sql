create table readings (
    id bigserial primary key,
    device text not null,
    sequence bigint not null,
    celsius double precision not null,
    archived_at timestamptz not null default now()
);

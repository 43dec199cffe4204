create table balance (
    customer   varchar(64) primary key,
    points     bigint      not null,
    version    bigint      not null,
    updated_at timestamptz not null
);

create table credited_order (
    id uuid primary key
);

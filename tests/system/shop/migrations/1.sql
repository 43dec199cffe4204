create table click_counts (code text primary key, clicks bigint not null);

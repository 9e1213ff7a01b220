-- What fill.sql takes from SQLite and PostgreSQL has under other names.

CREATE OR REPLACE FUNCTION randomblob(length INT) RETURNS BYTEA LANGUAGE sql AS $$
  SELECT substring(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) FOR length)
$$;

CREATE OR REPLACE FUNCTION printf(format TEXT, number BIGINT) RETURNS TEXT LANGUAGE sql AS $$
  SELECT lpad(to_hex(number), 12, '0')
$$;

CREATE OR REPLACE FUNCTION hex(data BYTEA) RETURNS TEXT LANGUAGE sql AS $$ SELECT encode(data, 'hex') $$;

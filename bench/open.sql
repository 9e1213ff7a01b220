-- The yardstick: what one open stores, as a single call inside the database. It
-- writes the same rows of the same size into the same tables as the server does,
-- but signs nobody in, draws by random() and signs nothing.

CREATE TABLE bench_users (n BIGINT PRIMARY KEY, id TEXT NOT NULL);
CREATE TABLE bench_cards (n BIGINT PRIMARY KEY, id TEXT NOT NULL);

INSERT INTO bench_cards
  SELECT row_number() OVER (ORDER BY id) - 1, id FROM items WHERE series = 'Pokemon';

-- A UUIDv7, so that new rows come to lie at the end of an index as the server's do.
CREATE FUNCTION bench_id(micros BIGINT) RETURNS TEXT LANGUAGE sql AS $$
  SELECT substr(ms, 1, 8) || '-' || substr(ms, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16)
  FROM lpad(to_hex(micros / 1000), 12, '0') AS ms
$$;

CREATE FUNCTION bench_hash() RETURNS BYTEA LANGUAGE sql AS $$ SELECT sha256(uuid_send(gen_random_uuid())) $$;

CREATE FUNCTION bench_micros() RETURNS BIGINT LANGUAGE sql AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;

CREATE FUNCTION bench_sign_up(users BIGINT, cents BIGINT) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO bench_users SELECT n, bench_id(bench_micros()) FROM generate_series(1, users) n;
  INSERT INTO users (id, wallet_address, tag, tag_salt, created_at)
    SELECT id, 'bench-' || n, md5(id), bench_hash(), bench_micros() FROM bench_users;
  INSERT INTO accounts (user_id, balance_cents, lines, nonce, commitment, sealed_seed)
    SELECT id, cents, 1, 0, bench_hash(), bench_hash() || substring(bench_hash() FOR 28) FROM bench_users;
  INSERT INTO transfers (id, transaction_id, debit, credit, amount_cents, credit_line, credit_balance_cents, kind, ref, created_at)
    SELECT bench_id(bench_micros()), bench_id(bench_micros()), 'house:sandbox', id, cents, 1, cents, 'deposit', id, bench_micros()
    FROM bench_users;
$$;

CREATE FUNCTION bench_open(who BIGINT) RETURNS BYTEA LANGUAGE plpgsql AS $$
DECLARE
  account   accounts%ROWTYPE;
  pack      packs%ROWTYPE;
  card      items%ROWTYPE;
  hash_now  BYTEA;
  user_tag  TEXT;
  moment    BIGINT := bench_micros();
  call_key  TEXT := gen_random_uuid()::text;
  open_id   TEXT := bench_id(moment);
  entry_id  TEXT := bench_id(moment);
  seed      BYTEA := bench_hash();
  client    TEXT := substr(gen_random_uuid()::text, 1, 26);
  following BYTEA := bench_hash();
  leaf      TEXT;
  reply     BYTEA;
BEGIN
  SELECT a.* INTO STRICT account FROM accounts a JOIN bench_users b ON b.id = a.user_id WHERE b.n = who FOR UPDATE OF a;
  SELECT i.answer INTO reply FROM idempotency i WHERE i.user_id = account.user_id AND i.key = call_key;
  IF FOUND THEN
    RETURN reply;
  END IF;
  SELECT u.tag INTO STRICT user_tag FROM users u WHERE u.id = account.user_id;
  SELECT p.* INTO STRICT pack FROM packs p WHERE p.id = '2';
  SELECT p.hash INTO STRICT hash_now FROM publications p WHERE p.pack_id = pack.id ORDER BY p.number DESC LIMIT 1;
  IF account.balance_cents < pack.price_cents THEN
    RAISE 'the balance does not cover the price';
  END IF;
  SELECT i.* INTO STRICT card FROM items i
    WHERE i.id = (SELECT c.id FROM bench_cards c WHERE c.n = (SELECT floor(random() * count(*))::bigint FROM bench_cards));

  leaf := format(E'kaibao-open/v1\nid %s\nuser %s\nnonce %s\npack %s\nmanifest %s\ndraw 0\ncommitment %s\nserverSeed %s\n'
    || E'clientSeed %s\nitems %s:%s\nprice %s\ntime 2026-01-01T00:00:00.000Z\nnext %s\n',
    open_id, user_tag, account.nonce, pack.id, encode(hash_now, 'hex'), encode(account.commitment, 'hex'), encode(seed, 'hex'),
    encode(client::bytea, 'base64'), card.id, card.base_value_cents, pack.price_cents, encode(following, 'hex'));
  reply := convert_to(format('{"openId":"%s","packId":"%s","packName":"%s","priceCents":%s,"createdAt":"2026-01-01T00:00:00.000Z",'
    || '"items":[{"inventoryId":"%s","id":"%s","name":"%s","imageUrl":"%s?v=00000000","series":"%s","rarity":"%s","grade":%s,'
    || '"certType":"%s","certNumber":"%s","baseValueCents":%s,"sellBackCents":%s,"sellBackUntil":"2026-01-02T00:00:00.000Z"}],'
    || '"totalValueCents":%s,"serverSeedRevealed":"%s","commitment":"%s","clientSeed":"%s","nonce":%s,"manifestHash":"%s",'
    || '"drawSeq":0,"receipt":"%s\n— kaibao.log/00000000 %s\n","balanceCents":%s,"next":{"commitment":"%s","nonce":%s}}',
    open_id, pack.id, pack.name, pack.price_cents, entry_id, card.id, card.name, card.image_url, card.series, card.rarity,
    card.grade_tenths / 10, card.cert_type, card.cert_number, card.base_value_cents, card.base_value_cents * 9 / 10,
    card.base_value_cents, encode(seed, 'hex'), encode(account.commitment, 'hex'), client, account.nonce,
    encode(hash_now, 'hex'), leaf, encode(seed || following, 'base64'), account.balance_cents - pack.price_cents,
    encode(following, 'hex'), account.nonce + 1), 'UTF8');

  UPDATE accounts SET balance_cents = balance_cents - pack.price_cents, lines = lines + 1, nonce = account.nonce + 1,
    commitment = following, sealed_seed = seed || substring(following FOR 28) WHERE user_id = account.user_id;
  INSERT INTO transfers (id, transaction_id, debit, credit, amount_cents, debit_line, debit_balance_cents, kind, ref, created_at)
    VALUES (bench_id(moment), bench_id(moment), account.user_id, 'house:packs', pack.price_cents, account.lines + 1,
      account.balance_cents - pack.price_cents, 'open', open_id, moment);
  INSERT INTO openings (id, user_id, pack_id, manifest_hash, nonce, commitment, server_seed, client_seed, price_cents,
      total_value_cents, draw_seq, created_at)
    VALUES (open_id, account.user_id, pack.id, hash_now, account.nonce, account.commitment, seed, client::bytea,
      pack.price_cents, card.base_value_cents, 0, moment);
  INSERT INTO inventory (id, user_id, item_id, opening_id, position, pulled_value_cents, sell_back_floor_cents,
      sell_back_until, acquired_from, acquired_at)
    VALUES (entry_id, account.user_id, card.id, open_id, 0, card.base_value_cents, card.base_value_cents * 9 / 10,
      moment + 86400000000, 'pack', moment);
  INSERT INTO log_waiting (kind, ref, body, created_at) VALUES ('open', open_id, leaf, moment);
  INSERT INTO idempotency (user_id, key, fingerprint, answer, created_at) VALUES (account.user_id, call_key, seed, reply, moment);
  RETURN reply;
END
$$;

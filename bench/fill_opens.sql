-- The opens from @first to before @last; those of one user follow each other.

CREATE TABLE bench_opens AS
  WITH RECURSIVE k(i) AS (SELECT @first UNION ALL SELECT i + 1 FROM k WHERE i + 1 < @last)
  SELECT '00000000-0000-7000-8000-' || printf('%012x', k.i) AS id, u.id AS user_id, k.i % @each AS nonce
  FROM k JOIN bench_users u ON u.n = k.i / @each;

INSERT INTO openings (id, user_id, pack_id, manifest_hash, nonce, commitment, server_seed, client_seed, price_cents,
    total_value_cents, draw_seq, created_at)
  SELECT o.id, o.user_id, m.pack_id, m.hash, o.nonce, randomblob(32), randomblob(32), randomblob(26), @price, 1000, 0, @now
  FROM bench_opens o CROSS JOIN (SELECT pack_id, hash FROM manifests WHERE pack_id = '@pack' LIMIT 1) m ORDER BY o.id;

INSERT INTO transfers (id, transaction_id, debit, credit, amount_cents, debit_line, debit_balance_cents, kind, ref, created_at)
  SELECT id, id, user_id, 'house:packs', @price, nonce + 2, 100000000 - @price * (nonce + 1), 'open', id, @now
  FROM bench_opens ORDER BY id;

INSERT INTO inventory (id, user_id, item_id, opening_id, position, pulled_value_cents, sell_back_floor_cents,
    sell_back_until, acquired_from, acquired_at)
  SELECT o.id, o.user_id, i.id, o.id, 0, 1000, 900, @now, 'pack', @now
  FROM bench_opens o CROSS JOIN (SELECT id FROM items ORDER BY id LIMIT 1) i ORDER BY o.id;

INSERT INTO log_waiting (kind, ref, body, created_at)
  SELECT 'open', o.id, 'kaibao-open/v1
manifest ' || lower(hex(m.hash)) || '
items ' || i.id || ':1000
@leaf', @now
  FROM bench_opens o CROSS JOIN (SELECT hash FROM manifests WHERE pack_id = '@pack' LIMIT 1) m
    CROSS JOIN (SELECT id FROM items ORDER BY id LIMIT 1) i ORDER BY o.id;

DROP TABLE bench_opens;

-- Old users and what they own, written straight into the tables in the SQL of both
-- engines. @neighbours users come to lie beside each user that is there, so that
-- those who open later find the others' rows all around their own in every index.
-- Each of @owners of them owns @each items. The books stay in order.

CREATE TABLE bench_users AS
  WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < @neighbours)
  SELECT row_number() OVER (ORDER BY k.i, u.id) - 1 AS n,
    substr(u.id, 1, 24) || printf('%012x', k.i * 281474976710655 / @neighbours) AS id, 0 AS opens
  FROM users u CROSS JOIN k;

CREATE UNIQUE INDEX bench_users_by_n ON bench_users (n);

UPDATE bench_users SET opens = @each WHERE n < @owners;

INSERT INTO users (id, wallet_address, tag, tag_salt, created_at)
  SELECT id, 'bench-' || n, 'bench-' || n, randomblob(32), @now FROM bench_users ORDER BY id;

INSERT INTO accounts (user_id, balance_cents, lines, nonce, commitment, sealed_seed)
  SELECT id, 100000000 - @price * opens, 1 + opens, opens, randomblob(32), randomblob(60) FROM bench_users ORDER BY id;

INSERT INTO transfers (id, transaction_id, debit, credit, amount_cents, credit_line, credit_balance_cents, kind, ref, created_at)
  SELECT 'deposit-' || id, 'deposit-' || id, 'house:sandbox', id, 100000000, 1, 100000000, 'deposit', 'bench-' || n, @now
  FROM bench_users ORDER BY id;

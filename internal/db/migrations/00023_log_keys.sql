-- A log ends when the database is restored or its key is replaced. Empty: the key of the epoch
-- before (of the first one: settings.log_key), and the own origin.
ALTER TABLE log_tree ADD COLUMN verifier_key TEXT NOT NULL DEFAULT '';
ALTER TABLE log_tree ADD COLUMN seed_origin TEXT NOT NULL DEFAULT '';

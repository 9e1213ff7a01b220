-- A publication of a pack waits for the draws of its pending orders. Until it is announced, the pack takes
-- no orders.
ALTER TABLE packs ADD COLUMN publishing_since BIGINT; -- when it began to wait; NULL = nothing waits

-- Changes of the stock that the waiting publication makes.
CREATE TABLE waiting_restocks (
    item_id TEXT PRIMARY KEY REFERENCES items (id),
    pack_id TEXT NOT NULL REFERENCES packs (id),
    count   BIGINT NOT NULL -- negative to remove
);
CREATE INDEX waiting_restocks_by_pack ON waiting_restocks (pack_id);

-- PROVEN stands for a foreign key that PostgreSQL gives up, as who writes the row has proven it
-- in the same transaction: the owner's account is locked and written, the open is written, the
-- manifest and the items are read. It would look up and lock each of them once more, row by
-- row. What is referred to stays: accounts and valuations hold users and items by foreign keys,
-- opens and manifests are kept as they are. An audit names what refers to nothing.
PROVEN openings openings_user_id_fkey;
PROVEN openings openings_manifest_hash_pack_id_fkey;
PROVEN inventory inventory_user_id_fkey;
PROVEN inventory inventory_item_id_fkey;
PROVEN inventory inventory_opening_id_fkey;

KEEP manifests;
KEEP openings;

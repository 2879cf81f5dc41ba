-- Of people whom mirrors name: pairs of 64-bit hashes, person and address. NULL: none.

ALTER TABLE group_users ADD COLUMN aliases BLOB;

-- Of people whom mirrors name, as in `group_users`. NULL: none.

ALTER TABLE alert_slots ADD COLUMN aliases BLOB;

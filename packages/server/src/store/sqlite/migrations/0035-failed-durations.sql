-- Durations of failed requests apart from those of all; NULL while none failed.
ALTER TABLE request_sums ADD COLUMN failed_sketch BLOB;
ALTER TABLE action_sums ADD COLUMN failed_sketch BLOB;

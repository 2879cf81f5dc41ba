-- The given name that SCIM sent: where an account's one name divides. NULL: after its first word.
ALTER TABLE directory_users ADD COLUMN given_name TEXT;

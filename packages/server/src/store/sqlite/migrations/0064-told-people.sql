-- What an identity provider said of a person, beside the one name and email that an account has.
ALTER TABLE directory_users ADD COLUMN told TEXT;
UPDATE directory_users SET told = json_object('name', name, 'givenName', given_name) WHERE given_name IS NOT NULL;
ALTER TABLE directory_users DROP COLUMN given_name;

-- Where somebody begins: the overview, unless they chose the issues.
ALTER TABLE users ADD COLUMN landing TEXT NOT NULL DEFAULT 'overview' CHECK (landing IN ('overview', 'issues'));

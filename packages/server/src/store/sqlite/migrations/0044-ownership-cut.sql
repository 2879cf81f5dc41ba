-- New issues for which the rules took more steps than they may, since they were changed last.
ALTER TABLE project_ownership ADD COLUMN cut_issues INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project_ownership ADD COLUMN cut_ms INTEGER;

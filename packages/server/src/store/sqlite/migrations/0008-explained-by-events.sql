-- Why an event belongs to its group is told by the event: kept with every group it was a third of an issue's bytes.
ALTER TABLE group_facts DROP COLUMN grouping;

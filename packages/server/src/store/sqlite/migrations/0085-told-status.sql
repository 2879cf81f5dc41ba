-- SvelteKit says how it answered, and which action it ran, in spans below the request, which may come before it.
ALTER TABLE segment_hints ADD COLUMN http_status INTEGER;
ALTER TABLE segment_hints ADD COLUMN action TEXT;

-- Price floors that were extended by the time that their owner's account was frozen.
CREATE INDEX entry_events_extending ON entry_events (created_at) WHERE act = 'extend the floor';

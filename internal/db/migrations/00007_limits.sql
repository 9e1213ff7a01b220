-- What of a user's play is counted, and how far it may go. It lies in the account's row, so
-- that it is read, locked and written with the money. Counters are those of the day, week
-- and month (UTC) in which something was counted last; a limit of -1 is none.

ALTER TABLE accounts ADD COLUMN counted_from BIGINT NOT NULL DEFAULT 0; -- what was done until then is not in the counters
UPDATE accounts SET counted_from = (SELECT COALESCE(MAX(created_at), 0) FROM transfers);
ALTER TABLE accounts ADD COLUMN counted_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN lost_day_cents BIGINT NOT NULL DEFAULT 0; -- prices of opens less proceeds of pulls: below 0 is won
ALTER TABLE accounts ADD COLUMN lost_week_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN lost_month_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN added_day_cents BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_added_day_cents CHECK (added_day_cents >= 0);
ALTER TABLE accounts ADD COLUMN added_week_cents BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_added_week_cents CHECK (added_week_cents >= 0);
ALTER TABLE accounts ADD COLUMN added_month_cents BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_added_month_cents CHECK (added_month_cents >= 0);
ALTER TABLE accounts ADD COLUMN spent_day_cents BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_spent_day_cents CHECK (spent_day_cents >= 0);
ALTER TABLE accounts ADD COLUMN opens_day BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_opens_day CHECK (opens_day >= 0);
ALTER TABLE accounts ADD COLUMN opened_at BIGINT NOT NULL DEFAULT 0; -- the last time
ALTER TABLE accounts ADD COLUMN most_lost_day_cents BIGINT NOT NULL DEFAULT -1 CONSTRAINT accounts_most_lost_day_cents CHECK (most_lost_day_cents >= -1);
ALTER TABLE accounts ADD COLUMN most_lost_week_cents BIGINT NOT NULL DEFAULT -1 CONSTRAINT accounts_most_lost_week_cents CHECK (most_lost_week_cents >= -1);
ALTER TABLE accounts ADD COLUMN most_lost_month_cents BIGINT NOT NULL DEFAULT -1 CONSTRAINT accounts_most_lost_month_cents CHECK (most_lost_month_cents >= -1);
ALTER TABLE accounts ADD COLUMN most_added_day_cents BIGINT NOT NULL DEFAULT -1 CONSTRAINT accounts_most_added_day_cents CHECK (most_added_day_cents >= -1);
ALTER TABLE accounts ADD COLUMN most_added_week_cents BIGINT NOT NULL DEFAULT -1 CONSTRAINT accounts_most_added_week_cents CHECK (most_added_week_cents >= -1);
ALTER TABLE accounts ADD COLUMN most_added_month_cents BIGINT NOT NULL DEFAULT -1 CONSTRAINT accounts_most_added_month_cents CHECK (most_added_month_cents >= -1);
ALTER TABLE accounts ADD COLUMN timed_out_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN excluded_until BIGINT NOT NULL DEFAULT 0;

-- What a trade counted for: against its seller's net loss, where they had pulled the entry,
-- and to what they topped up, where it brought far more than the item is worth. NULL = it
-- is from before that was counted.
ALTER TABLE trades ADD COLUMN back_cents BIGINT CONSTRAINT trades_back_cents CHECK (back_cents >= 0);
ALTER TABLE trades ADD COLUMN excess_cents BIGINT CONSTRAINT trades_excess_cents CHECK (excess_cents >= 0);

-- What users chose, for good, numbered for each. The last that was set or confirmed of a
-- bound is in force; an ask behind it waits to be confirmed.
CREATE TABLE limit_acts (
    user_id    UUID NOT NULL REFERENCES users (id),
    number     BIGINT NOT NULL CONSTRAINT limit_acts_number CHECK (number > 0), -- in the order in which the account was locked
    bound      TEXT NOT NULL, -- which: a limit, the time of the reality check, a time-out, an exclusion
    act        TEXT NOT NULL CONSTRAINT limit_acts_act CHECK (act IN ('set', 'ask', 'confirm')),
    value      BIGINT NOT NULL CONSTRAINT limit_acts_value CHECK (value >= -1), -- cents, minutes or a time; -1 = none
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, number)
);
KEEP limit_acts;

-- The age that a user confirmed to have at least, in years; 0 = none was asked for.
ALTER TABLE users ADD COLUMN confirmed_age BIGINT NOT NULL DEFAULT 0 CONSTRAINT users_confirmed_age CHECK (confirmed_age BETWEEN 0 AND 150);
ALTER TABLE users ADD COLUMN age_confirmed_at BIGINT CONSTRAINT users_age_confirmed_at CHECK ((age_confirmed_at IS NULL) = (confirmed_age = 0));

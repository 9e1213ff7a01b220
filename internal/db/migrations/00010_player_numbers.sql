-- Tells players without a name apart on the boards, in the order of their first opens.
ALTER TABLE standings ADD COLUMN number BIGINT NOT NULL DEFAULT 0 CONSTRAINT standings_number CHECK (number >= 0);
UPDATE standings SET number = n.number FROM (SELECT player, ROW_NUMBER() OVER (ORDER BY player) AS number FROM standings) n
    WHERE n.player = standings.player;
CREATE UNIQUE INDEX standings_by_number ON standings (number);

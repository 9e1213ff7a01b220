-- A new alert about a bid replaces the unread one of the same bid and kind.
CREATE INDEX alerts_by_bid ON alerts (bid_id, kind);
DELETE FROM alerts WHERE bid_id IS NOT NULL
    AND id > COALESCE((SELECT m.up_to FROM alert_marks m WHERE m.user_id = alerts.user_id), '00000000-0000-0000-0000-000000000000')
    AND EXISTS (SELECT 1 FROM alerts n WHERE n.bid_id = alerts.bid_id AND n.kind = alerts.kind AND n.user_id = alerts.user_id AND n.id > alerts.id);

-- The item that has a certificate is found when another one is to get it.
CREATE INDEX items_by_certificate ON items (cert_number) WHERE cert_number <> '';

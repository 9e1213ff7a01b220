-- Names are found as people type them: without accents, in either Chinese script, with or without hyphens.
FOLD items search name;

-- A pack's Chinese name; empty = none. The name of the manifest is the English one.
ALTER TABLE packs ADD COLUMN name_zh TEXT NOT NULL DEFAULT '';

-- The built-in packs, unless they were renamed.
UPDATE packs SET name_zh = '篮球' WHERE id = '1' AND name = 'Basketball';
UPDATE packs SET name_zh = '宝可梦' WHERE id = '2' AND name = 'Pokemon';
UPDATE packs SET name_zh = '航海王' WHERE id = '3' AND name = 'One Piece';
UPDATE packs SET name_zh = '美式橄榄球' WHERE id = '4' AND name = 'Football';
UPDATE packs SET name_zh = '足球' WHERE id = '5' AND name = 'Soccer';
UPDATE packs SET name_zh = '棒球' WHERE id = '6' AND name = 'Baseball';
UPDATE packs SET name_zh = 'Labubu 经典盲盒' WHERE id = '7' AND name = 'Labubu Base Box';
UPDATE packs SET name_zh = 'Labubu 豪华盲盒' WHERE id = '8' AND name = 'Labubu Deluxe Box';
UPDATE packs SET name_zh = '新手卡包·晨曦' WHERE id = 'demo-pack-1' AND name = 'Starter Dawn';
UPDATE packs SET name_zh = '新手卡包·暮色' WHERE id = 'demo-pack-2' AND name = 'Starter Dusk';
UPDATE packs SET description_zh = '一张评级航海王卡：船员、船长，还有藏家追寻的漫画异画卡。' WHERE id = '3' AND description_zh = '一张评级海贼王卡：船员、船长，还有藏家追寻的漫画异画卡。';

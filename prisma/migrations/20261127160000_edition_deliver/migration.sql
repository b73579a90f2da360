-- Whether members get an edition, as an editor chose.

ALTER TABLE edition ADD COLUMN deliver boolean;

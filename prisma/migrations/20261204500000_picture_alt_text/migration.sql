-- The alt text of a picture (null until an editor says it, '' for a decorative picture), and the point that cropping keeps.
ALTER TABLE memo
    ADD COLUMN media_alt VARCHAR(500),
    ADD COLUMN media_focus_x DOUBLE PRECISION NOT NULL DEFAULT 0.5,
    ADD COLUMN media_focus_y DOUBLE PRECISION NOT NULL DEFAULT 0.5;

ALTER TABLE article
    ADD COLUMN media_alt VARCHAR(500),
    ADD COLUMN media_focus_x DOUBLE PRECISION NOT NULL DEFAULT 0.5,
    ADD COLUMN media_focus_y DOUBLE PRECISION NOT NULL DEFAULT 0.5;

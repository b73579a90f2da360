-- The pages of the PDFs that a member receives.

CREATE TYPE pdf_format AS ENUM ('phone', 'a4');
ALTER TABLE member ADD COLUMN pdf_format pdf_format NOT NULL DEFAULT 'phone';

-- Which delivery's message carried a PDF: that of the same member's memos.

ALTER TABLE delivery ADD COLUMN sent_with uuid;
CREATE INDEX delivery_sent_with_idx ON delivery (sent_with) WHERE sent_with IS NOT NULL;

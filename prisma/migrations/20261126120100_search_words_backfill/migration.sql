-- Indexes again what is published. Editors' changes of a published edition wait until it is done, so that none of them is
-- overwritten.

SELECT 1 FROM edition WHERE status = 'published' FOR SHARE;
SELECT index_memos(ARRAY(SELECT memo.id FROM memo JOIN edition ON edition.id = edition_id WHERE status = 'published'));

SELECT 1 FROM article WHERE status = 'published' FOR SHARE;
SELECT index_articles(ARRAY(SELECT id FROM article WHERE status = 'published'));

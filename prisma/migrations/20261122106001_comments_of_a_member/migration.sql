-- A member's comments are read in the order of writing, page by page.
CREATE INDEX "comment_post_member_id_internal_order_idx" ON "comment_post"("member_id", "internal_order");
CREATE INDEX "comment_thread_member_id_internal_order_idx" ON "comment_thread"("member_id", "internal_order");

DROP INDEX "comment_post_member_id_idx";
DROP INDEX "comment_thread_member_id_idx";

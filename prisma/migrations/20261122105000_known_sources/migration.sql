-- CreateTable
CREATE TABLE "known_source" (
    "member_id" VARCHAR(32) NOT NULL,
    "source_hash" CHAR(32) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_source_pkey" PRIMARY KEY ("member_id","source_hash")
);

-- CreateIndex
CREATE INDEX "known_source_last_used_at_idx" ON "known_source"("last_used_at");

-- AddForeignKey
ALTER TABLE "known_source" ADD CONSTRAINT "known_source_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

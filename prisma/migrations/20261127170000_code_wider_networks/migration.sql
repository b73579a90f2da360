-- AlterTable
ALTER TABLE "one_time_code" ADD COLUMN     "wider_networks" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "one_time_code_wider_networks_idx" ON "one_time_code" USING GIN ("wider_networks");

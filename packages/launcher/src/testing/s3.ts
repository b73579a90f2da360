/** The S3 server of the tests: its port, which is null for one that each test starts, and its keys. */
export function testS3(): { port: number | null; accessKeyId: string; secretAccessKey: string } {
  const { TIDINGS_TEST_S3_PORT: port, TIDINGS_TEST_S3_KEY: id, TIDINGS_TEST_S3_SECRET: secret } = process.env
  return {
    port: port === undefined ? null : Number(port),
    accessKeyId: id ?? 'S3RVER',
    secretAccessKey: secret ?? 'S3RVER',
  }
}

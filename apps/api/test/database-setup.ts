export { setup, teardown } from '@tidings/launcher/vitest-database'

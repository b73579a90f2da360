import { dropTestDatabases } from './test-database.ts'

// A set-up file runs before each test file, when nothing uses the databases of the last one.
await dropTestDatabases()

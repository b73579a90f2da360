import { request } from 'node:http'
import pg from 'pg'

const image = 'postgres:18'
const password = 'tidings'

const server = 'postgres -c fsync=off -c max_connections=200 -c timezone=UTC'

// A container of a killed test run stops itself after this time.
const maxRunSeconds = 7_200

/** Returns whether Docker responds within a second. */
export async function isDockerAvailable(): Promise<boolean> {
  const host = process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock'
  if (!URL.canParse(host)) return false
  const url = new URL(host)
  const target =
    url.protocol === 'unix:' ? { socketPath: url.pathname } : { host: url.hostname, port: url.port || 2375 }
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 1_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** Starts a PostgreSQL container with temporary data. Rejects when the image is unavailable or doesn't start. */
export async function startContainer(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  // The reaper would be another image to pull. The container's own time limit replaces it.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(image)
    .withEnvironment({
      POSTGRES_PASSWORD: password,
      POSTGRES_INITDB_ARGS: '--locale=C --lc-ctype=C.UTF-8 --encoding=UTF8',
    })
    .withExposedPorts(5432)
    .withCommand(['sh', '-c', `sleep ${maxRunSeconds} && kill -INT 1 & exec docker-entrypoint.sh ${server}`])
    .withAutoRemove(true)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/))
    .withStartupTimeout(60_000)
    .start()
  const host = container.getHost()
  const adminUrl = `postgresql://postgres:${password}@${host}:${container.getMappedPort(5432)}/postgres`
  const stop = async () => {
    await container.stop()
  }
  try {
    await waitForServer(adminUrl)
  } catch (error) {
    await stop()
    throw error
  }
  return { adminUrl, stop }
}

/** Waits for a connection, because the image also logs 'ready' during its set-up. */
async function waitForServer(url: string) {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => {})
      if (attempt === 150) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

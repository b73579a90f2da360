import { request } from 'node:http'
import pg from 'pg'

const image = 'postgres:18'
const password = 'tidings'

const server = 'postgres -c fsync=off -c max_connections=200 -c timezone=UTC'

// Left-overs of a killed test run end by themselves.
const longestRunSeconds = 7_200

/** Whether a Docker engine answers within a second. */
export async function dockerAnswers(): Promise<boolean> {
  const host = process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock'
  if (!URL.canParse(host)) return false
  const url = new URL(host)
  const target =
    url.protocol === 'unix:' ? { socketPath: url.pathname } : { host: url.hostname, port: url.port || 2375 }
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 1_000 }, (reply) => {
      reply.resume()
      resolve(reply.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** A PostgreSQL container on throw-away data. Rejects when the image cannot be had or does not come up. */
export async function startContainer(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  // The reaper is one more image to fetch; the container's own time limit does its work.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(image)
    .withEnvironment({ POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: '--locale=C --encoding=UTF8' })
    .withExposedPorts(5432)
    .withCommand([
      'sh',
      '-c',
      `sleep ${longestRunSeconds} && kill -INT 1 & exec docker-entrypoint.sh ${server}`,
    ])
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

/** The image's own set-up phase says 'ready' too, but listens to nobody outside. */
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

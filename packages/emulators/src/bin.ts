import { startEmulators } from './emulators.ts'

const portSettings = { SANDBOX_PORT: 3001, SMTP_PORT: 0, BOUNCE_SMTP_PORT: 0 }

function portFrom(name: keyof typeof portSettings): number {
  const text = process.env[name]
  if (!text) return portSettings[name]
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new Error(`${name} is '${text}'. It must be a port from 0 (any free one) to 65535.`)
}

const inProduction = process.env.NODE_ENV === 'production'

/** Throws in production unless `SANDBOX` is on: the emulators show every email to everyone. */
function requireSandbox() {
  if (!inProduction || process.env.SANDBOX === 'on') return
  throw new Error('With NODE_ENV=production the emulators only run when SANDBOX is on.')
}

/** Returns the origins of IDENTITY_REDIRECT_ORIGINS, which are separated by commas. Throws with the invalid one. */
function originsFrom(text = ''): string[] {
  const origins = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin)
  if (wrong === undefined) return origins
  throw new Error(
    `IDENTITY_REDIRECT_ORIGINS has '${wrong}', which is not an origin like https://news.example.com.`,
  )
}

/** Returns where the Twilio emulator reports replies: at the site's own address, also when it posts to another one. */
function incomingUrlFrom({ SITE_URL, PORT }: NodeJS.ProcessEnv): string {
  return new URL('/webhooks/twilio/incoming', SITE_URL || `http://localhost:${PORT || 3000}`).href
}

const banner = `
  ############################################################
  #                                                          #
  #  SANDBOX: emails and texts are not sent.                 #
  #  Anyone can read them.                                   #
  #  Anyone can sign in as any member and pay with no money. #
  #  Never run this next to a site that real people use.     #
  #                                                          #
  ############################################################
`

function explain(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Set SANDBOX_PORT (inbox) or SMTP_PORT (mail) to a free port.`
  }
  return error instanceof Error ? error.message : String(error)
}

try {
  requireSandbox()
  const bouncePort = portFrom('BOUNCE_SMTP_PORT')
  const emulators = await startEmulators({
    host: process.env.HOST || '127.0.0.1',
    port: portFrom('SANDBOX_PORT'),
    smtpPort: portFrom('SMTP_PORT'),
    bounceUrl:
      bouncePort > 0 ? `smtp://${process.env.BOUNCE_SMTP_HOST || '127.0.0.1'}:${bouncePort}` : undefined,
    now: () => new Date(),
    redirectOrigins: originsFrom(process.env.IDENTITY_REDIRECT_ORIGINS),
    stripe: {
      dataDir: process.env.DATA_DIR || undefined,
      webhookUrl: process.env.STRIPE_WEBHOOK_URL || undefined,
      webhookSecret: process.env.STRIPE_WEBHOOK_SECRET || undefined,
      publicUrl: process.env.STRIPE_API_URL || undefined,
      onFailure: (error) => console.error(error),
    },
    twilio: {
      incomingUrl: incomingUrlFrom(process.env),
      callbackOrigin: process.env.TWILIO_CALLBACK_ORIGIN || undefined,
    },
  })
  const { stop: _stop, ...addresses } = emulators
  console.log(JSON.stringify(addresses))
  if (inProduction) console.error(banner)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.once(signal, () => void emulators.stop().then(() => process.exit(0)))
  }
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

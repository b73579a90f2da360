import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { paths } from '@tidings/contracts/paths'
import { tags } from '@tidings/contracts/tags'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '#config/config.ts'
import type { App } from '../app-type.ts'
import { gatePassCookie } from '../sessions/gate-pass.ts'
import { declarePublic } from './access.ts'

const introduction = `Editions, memos, pictures, the membership service and the editors' desk.

Routes of readers under \`/edition\`, \`/media\`, \`/gated\`, \`/cms\` and \`/socket\` need the gate pass that \`POST /gate\` sets.
The membership protocol (\`/app\`, \`/auth\`, \`/member\`, \`/comments\`, \`/secure-content\`) needs the app's public key as \`X-API-Key\`, and from a page an origin that the app allows. Logged-in members send \`Authorization: Bearer\` with their access token.
The desk, \`/desk/v1\`, needs an editor key, \`Authorization: Bearer tdk_…\`, or the session of a person, who sends \`X-Desk: 1\` with every change.

Every error is \`{ "error": { "code", "message" } }\`: the code is stable and for programs, the message is for people.

To change something that exists, send \`If-Match\` with the \`ETag\` it was read with; to repeat a \`POST\` safely, send an \`Idempotency-Key\`.`

// The reference page needs inline styles; it runs no foreign scripts and shows no content of members.
const referencePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"

/** Collects the schemas of the routes. Call before registering them. */
export async function registerOpenapi(app: App, site: Config['site']): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${site.name} API`, version: '1', description: introduction },
      servers: [{ url: site.url.origin }],
      tags: tags.map((name) => ({ name })),
      components: {
        securitySchemes: {
          editorKey: { type: 'http', scheme: 'bearer', description: 'An editor key' },
          deskSession: { type: 'apiKey', in: 'cookie', name: 'tidings_desk' },
          appKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: "The app's public key" },
          member: { type: 'http', scheme: 'bearer', description: 'An access token of a member' },
          gatePass: { type: 'apiKey', in: 'cookie', name: gatePassCookie },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
}

/** Serves `/openapi.json`, and its reference page at `/docs`. */
export async function registerApiReference(app: App, site: Config['site']): Promise<void> {
  app.get(paths.openapi, { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').send(app.swagger()),
  )
  await app.register(async (scope: App) => {
    declarePublic(scope)
    await scope.register(swaggerUi, {
      routePrefix: paths.docs,
      staticCSP: true,
      transformStaticCSP: () => referencePolicy,
      uiConfig: {
        docExpansion: 'list',
        deepLinking: true,
        tryItOutEnabled: true,
        layout: 'BaseLayout',
        validatorUrl: null,
      },
      theme: { title: `${site.name} API` },
    })
  })
}

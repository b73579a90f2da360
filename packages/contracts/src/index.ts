import * as articles from './articles.ts'
import * as smsWebhooks from './delivery/sms-webhooks.ts'
import * as deskArticles from './desk/articles.ts'
import * as audit from './desk/audit.ts'
import * as deskComments from './desk/comments.ts'
import * as articleReaders from './desk/content/article-readers.ts'
import * as contentGroups from './desk/content/content-groups.ts'
import * as deskSecureContent from './desk/content/secure-content.ts'
import * as deliverability from './desk/deliverability.ts'
import * as deliveries from './desk/deliveries.ts'
import * as deskEditions from './desk/editions.ts'
import * as deskMedia from './desk/media.ts'
import * as deskMembers from './desk/members.ts'
import * as deskMemos from './desk/memos.ts'
import * as deskNeeds from './desk/needs/needs.ts'
import * as editorKeys from './desk/people/editor-keys.ts'
import * as invitations from './desk/people/invitations.ts'
import * as people from './desk/people/people.ts'
import * as deskSignIn from './desk/people/sign-in.ts'
import * as you from './desk/people/you.ts'
import * as deskStatistics from './desk/statistics.ts'
import * as articleWriting from './desk/writing/article-writing.ts'
import * as corrections from './desk/writing/corrections.ts'
import * as deskOrders from './desk/writing/orders.ts'
import * as deskPreviews from './desk/writing/previews.ts'
import * as deskReadiness from './desk/writing/readiness.ts'
import * as deskVersions from './desk/writing/versions.ts'
import * as deskWriting from './desk/writing/writing.ts'
import * as editions from './editions.ts'
import type { Endpoint, InputOf, ReplyOf, Route } from './endpoint.ts'
import * as feeds from './feeds.ts'
import * as gate from './gate.ts'
import * as mailEvents from './mail-events.ts'
import * as auth from './membership/auth.ts'
import * as billing from './membership/billing.ts'
import * as comments from './membership/comments.ts'
import * as memberDeliveries from './membership/deliveries.ts'
import * as memberFeed from './membership/member-feed.ts'
import * as members from './membership/members.ts'
import * as phone from './membership/phone.ts'
import * as plans from './membership/plans.ts'
import * as popups from './membership/popups.ts'
import * as push from './membership/push.ts'
import * as secureContent from './membership/secure-content.ts'
import * as widgetConfig from './membership/widget-config.ts'
import * as ops from './ops.ts'
import * as pictures from './pictures.ts'
import * as search from './search.ts'

// NOTE: browsers import only types from here, because the schemas of all endpoints come with it.
const modules = {
  articles,
  articleWriting,
  audit,
  corrections,
  deliverability,
  deliveries,
  deskArticles,
  deskComments,
  articleReaders,
  contentGroups,
  deskEditions,
  deskMedia,
  deskMemos,
  deskNeeds,
  deskOrders,
  deskPreviews,
  deskReadiness,
  deskVersions,
  deskWriting,
  deskSignIn,
  deskMembers,
  deskSecureContent,
  deskStatistics,
  digestDeliveries: deliveries.digestDeliveryEndpoints,
  editionDeliveries: deliveries.editionDeliveryEndpoints,
  editions,
  editorKeys,
  feeds,
  gate,
  invitations,
  mailEvents,
  ops,
  people,
  pictures,
  push,
  search,
  smsWebhooks,
  auth,
  billing,
  comments,
  memberDeliveries,
  memberFeed,
  members,
  phone,
  plans,
  popups,
  secureContent,
  widgetConfig,
  you,
}

type Modules = typeof modules
type ValueOf<Of> = Of[keyof Of]

type Value = ValueOf<{ [Name in keyof Modules]: ValueOf<Modules[Name]> }>
type NameOf<At extends Route> = `${At['method']} ${At['path']}`

// By name, because filtering all endpoints by an unknown route takes the compiler minutes.
type EndpointByName = { [One in Extract<Value, Endpoint> as NameOf<One>]: One }

/** The endpoint of a route, with its schemas. */
export type EndpointAt<At extends Route> =
  NameOf<At> extends infer Name extends keyof EndpointByName ? EndpointByName[Name] : never

/** The input of a call to a route. */
export type InputAt<At extends Route> = InputOf<EndpointAt<At>>

/** The body that a successful call of a route returns. */
export type ReplyAt<At extends Route> = ReplyOf<EndpointAt<At>>

/** All endpoints of the API. */
export const endpoints: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.values<unknown>(module).filter(isEndpoint),
)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value
}

// Methods and paths of the desk's endpoints that its web application calls, apart from their schemas: browsers load only these.

export const requestSignInOptions = { method: 'POST', path: '/desk/v1/sign-in/options' } as const
export const signIn = { method: 'POST', path: '/desk/v1/sign-in' } as const
export const requestSignInLink = { method: 'POST', path: '/desk/v1/sign-in-links' } as const
export const signOut = { method: 'POST', path: '/desk/v1/sign-out' } as const
export const getYou = { method: 'GET', path: '/desk/v1/you' } as const
export const changeYou = { method: 'PATCH', path: '/desk/v1/you' } as const
export const listSessions = { method: 'GET', path: '/desk/v1/you/sessions' } as const
export const endSession = { method: 'DELETE', path: '/desk/v1/you/sessions/:id' } as const
export const listEditions = { method: 'GET', path: '/desk/v1/editions' } as const
export const getEdition = { method: 'GET', path: '/desk/v1/editions/:key' } as const
export const putEdition = { method: 'PUT', path: '/desk/v1/editions/:key' } as const
export const publishEdition = { method: 'POST', path: '/desk/v1/editions/:key/publish' } as const
export const getReadiness = { method: 'GET', path: '/desk/v1/editions/:key/readiness' } as const
export const previewEdition = { method: 'GET', path: '/desk/v1/editions/:key/preview/:method' } as const
export const listEditionDeliveries = { method: 'GET', path: '/desk/v1/editions/:key/deliveries' } as const
export const getDeliveryReport = { method: 'GET', path: '/desk/v1/editions/:key/delivery-report' } as const
export const stopDelivery = { method: 'POST', path: '/desk/v1/editions/:key/deliveries/stop' } as const
export const resumeDelivery = { method: 'POST', path: '/desk/v1/editions/:key/deliveries/resume' } as const
export const resolveDelivery = { method: 'POST', path: '/desk/v1/deliveries/:id/resolve' } as const
export const searchDeliveries = { method: 'POST', path: '/desk/v1/deliveries/search' } as const
export const listUnconfirmed = { method: 'GET', path: '/desk/v1/deliveries' } as const
export const listProgress = { method: 'GET', path: '/desk/v1/deliveries/progress' } as const
export const countComments = { method: 'GET', path: '/desk/v1/comments/counts' } as const

// Methods and paths of the site's endpoints, apart from their schemas: browsers load only these.

export const getGate = { method: 'GET', path: '/gate' } as const
export const passGate = { method: 'POST', path: '/gate' } as const
export const enterContact = { method: 'POST', path: '/cms/auth/protect' } as const
export const getTimeList = { method: 'GET', path: '/edition/prod/get_time_list/:date' } as const
export const listMemos = { method: 'GET', path: '/edition/prod/:key' } as const
export const listArchive = { method: 'GET', path: '/edition/prod/get_list' } as const
export const likeMemo = { method: 'POST', path: '/edition/update_counter' } as const
export const searchEditions = { method: 'GET', path: '/edition/search' } as const
export const listGatedArticles = { method: 'GET', path: '/edition/prod/get_gated_list' } as const
export const getGatedArticle = { method: 'GET', path: '/edition/prod/get_gated_list/:gatedID' } as const
export const memoPicture = { method: 'GET', path: '/media/:date/:timestamp/:file' } as const
export const articlePicture = { method: 'GET', path: '/gated/:file' } as const
export const profilePicture = { method: 'GET', path: '/profile-images/:file' } as const
export const liveFeed = { method: 'GET', path: '/socket' } as const
export const deskSocket = { method: 'GET', path: '/desk/socket' } as const
export const feedRss = { method: 'GET', path: '/feeds/rss' } as const
export const feedJson = { method: 'GET', path: '/feeds/json' } as const
export const memberFeedRss = { method: 'GET', path: '/feeds/:token/rss' } as const
export const memberFeedJson = { method: 'GET', path: '/feeds/:token/json' } as const

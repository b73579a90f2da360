/** Where members change how they receive editions. */
export const dashboardPath = '/#/account/dashboard'

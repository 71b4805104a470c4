/** The routes of the pages beside the reference, open to everyone. */
import { guideAssetRoutes } from "./assets.ts"
import { errorPageRoutes } from "./errorPages.ts"
import { guidePageRoutes } from "./guidePages.ts"
import { searchRoute } from "./searchPage.ts"

export const guideRoutes = [...guideAssetRoutes, ...errorPageRoutes, ...guidePageRoutes, searchRoute]

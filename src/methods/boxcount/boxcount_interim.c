#include "boxcount_hou.h"
#include "boxcount_window.h"
rug_status rugi_boxcount_hou_image(rug_context *ctx, rug_boxcount_result *result,
                                   const rug_image *img, const rugi_predicate *predicate)
{
    (void)result;
    (void)img;
    (void)predicate;
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED, "interim");
}
rug_status rug_boxcount_points(rug_context *ctx, rug_boxcount_result *out, const rug_points *points, const rug_boxcount_points_options *opts)
{ (void)out; (void)points;(void)opts; return rug_context_fail(ctx, RUG_E_UNSUPPORTED, "interim"); }

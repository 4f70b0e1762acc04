/** The SDK's version is pinned: its word about Node versions to come is no news of a test's. */
export const QUIET = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" } as const;

/**
 * The Dockerfile, compose.yaml and the Kubernetes example against the code they run: files, variables, ports and paths.
 * Whether an image builds only a machine with a builder can say; that the files it copies are enough is tried here.
 */
import { parseYaml } from "@redocly/openapi-core"
import { cp, readFile, stat, symlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { healthRoutes } from "../src/http/ops/healthRoutes.ts"
import { environment } from "../src/runtime/settings/environment.ts"
import { listening, run, startProgram, temporaryFolder } from "./support/processes.ts"
import { freshDatabase } from "./support/service.ts"

const root = resolve(import.meta.dirname, "..")
const text = (path: string) => readFile(join(root, path), "utf8")

// oxlint-disable-next-line typescript/no-explicit-any -- files are looked into
const yaml = (source: string): any => parseYaml(source)

const dockerfile = await text("Dockerfile")
const packageJson = JSON.parse(await text("package.json"))
const compose = yaml(await text("compose.yaml"))
const kubernetes = (await text("deploy/kubernetes/journeys.yaml")).split(/^---$/m).map(yaml)

const kind = (name: string) => kubernetes.find((one) => one.kind === name)
const pod = kind("Deployment").spec.template.spec
const container = pod.containers[0]
const nodes = [compose.services["node-1"], compose.services["node-2"]]

const isVariable = (name: string): name is keyof typeof environment => Object.hasOwn(environment, name)
const healthPaths = healthRoutes.map(({ path }) => path)
const runnerPort = "34431"
const opsPort = "3100"
const defaultPort = environment.PORT.default

/** What the instruction takes from the folder, without the place it goes to. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, paths = ""]) =>
  paths.split(" ").slice(0, -1)
)

describe("the Dockerfile", () => {
  it("copies only files that exist, and nothing of the tests", async () => {
    expect(copied).toEqual(["package.json", "package-lock.json", ".npmrc", "package.json", "src", "docs"])
    for (const path of copied) await stat(join(root, path))
  })

  it("shows the builder the files that it copies and nothing else", async () => {
    const rules = (await text(".dockerignore")).split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    expect(rules[0]).toBe("*")
    expect(rules.slice(1).toSorted()).toEqual([...new Set(copied)].map((path) => `!${path}`).toSorted())
  })

  it("uses the Node of this project, and runs what npm start runs", () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    expect(new Set(images)).toEqual(new Set([`node:${packageJson.dependencies.node}-bookworm-slim`]))
    const [, command = ""] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []
    // npm starts a shell, which the service replaces; an image starts none.
    expect(`exec ${JSON.parse(command).join(" ")}`).toBe(packageJson.scripts.start)
  })

  it("runs as an unprivileged user, probes a known path, and names the right ports", () => {
    expect(/^USER (.*)$/m.exec(dockerfile)?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(healthPaths.filter((path) => dockerfile.includes(path))).toEqual(["/health/live"])
    expect(/^EXPOSE (.*)$/m.exec(dockerfile)?.[1]).toBe(`${defaultPort} ${runnerPort}`)
  })

  it("starts a Node in which no member of an object leads to its prototype", async () => {
    const flags = packageJson.scripts.start.split(" ").filter((word: string) => word.startsWith("--"))
    const look = "({}).__proto__ === undefined && !('__proto__' in Object.prototype)"
    const { stdout } = await run(process.execPath, [...flags, "-p", look], {
      cwd: root,
      environment: { NODE_OPTIONS: "" }
    })
    expect(stdout).toBe("true\n")
  })

  it("sets only variables that the service reads, to values that it takes", () => {
    const [, line = ""] = /^ENV (.*)$/m.exec(dockerfile) ?? []
    const { NODE_ENV: _node, ...set } = Object.fromEntries(line.split(" ").map((pair) => pair.split("=")))
    for (const [name, value] of Object.entries(set)) {
      expect([name, isVariable(name) && environment[name].parse(String(value)) !== undefined]).toEqual([name, true])
    }
  })

  it("copies enough files: the service starts with them alone and becomes ready", async () => {
    const folder = await temporaryFolder()
    for (const path of new Set(copied)) await cp(join(root, path), join(folder.path, path), { recursive: true })
    await symlink(join(root, "node_modules"), join(folder.path, "node_modules"))
    const main = startProgram(join(folder.path, "src/runtime/start.js"), [], {
      cwd: folder.path,
      environment: {
        PORT: "0",
        HOST: "0.0.0.0",
        NODE_ENV: "production",
        DATABASE_URL: await freshDatabase(),
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
        OPERATOR_TOKEN: "test-operator-token-of-this-file"
      }
    })
    const [, baseUrl = ""] = await main.printed(listening)
    expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200)
    expect(await main.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" })
    await folder.remove()
  })
})

describe("compose.yaml", () => {
  it("gives nodes only variables that the service reads, and each its own address", () => {
    for (const node of nodes) expect(Object.keys(node.environment).filter((name) => !isVariable(name))).toEqual([])
    expect(nodes.map((node) => node.environment.RUNNER_ADDRESS)).toEqual(["runner-1:34431", "runner-2:34431"])
  })

  it("holds no secret: each must be given", async () => {
    const secrets = [...(await text("compose.yaml")).matchAll(/\$\{(\w+):([^}]*)\}/g)].map(([, name, rest]) => [
      name,
      rest
    ])
    for (const [name, rest] of secrets) {
      if (name !== "BASE_URL") expect([name, rest]).toEqual([name, "?see compose.yaml"])
    }
    expect(new Set(secrets.map(([name]) => name))).toEqual(
      new Set(["BASE_URL", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "ENCRYPTION_KEY", "OPERATOR_TOKEN", "CLUSTER_SECRET"])
    )
    expect((await text(".gitignore")).split("\n")).toContain(".env")
  })

  it("lets messages between nodes, PostgreSQL and Redis travel apart from requests, on networks without a way out", () => {
    const { data, runners } = compose.networks
    expect([data.internal, runners.internal]).toEqual([true, true])
    for (const name of ["postgres", "redis"]) expect(compose.services[name].networks).toEqual(["data"])
    nodes.forEach((node, at) => {
      expect(node.networks.runners.aliases).toEqual([node.environment.RUNNER_ADDRESS.split(":")[0]])
      expect(node.networks.runners.aliases).toEqual([`runner-${at + 1}`])
    })
  })

  it("publishes ports on this machine only, and never the port between nodes", () => {
    const published = Object.values<{ readonly ports?: ReadonlyArray<string> }>(compose.services).flatMap(
      (one) => one.ports ?? []
    )
    expect(published).toEqual(["127.0.0.1:3001:3000", "127.0.0.1:3002:3000", "127.0.0.1:16686:16686"])
  })

  it("waits for healthy services, probes paths that exist, and mounts files that exist", async () => {
    for (const node of nodes) {
      for (const needed of Object.keys(node.depends_on)) expect(compose.services[needed].healthcheck).toBeDefined()
      expect(healthPaths.filter((path) => node.healthcheck.test.join(" ").includes(path))).toEqual(["/health/ready"])
      expect(node.healthcheck.test.join(" ")).toContain(`:${node.environment.OPS_PORT}/`)
    }
    for (const mounted of compose.services.collector.volumes) await stat(join(root, mounted.split(":")[0]))
    const collector = yaml(await text("deploy/collector.yaml"))
    const port = new URL(nodes[0].environment.OTEL_EXPORTER_OTLP_ENDPOINT).port
    expect(collector.receivers.otlp.protocols.http.endpoint).toBe(`0.0.0.0:${port}`)
    for (const pipeline of Object.values<Record<string, ReadonlyArray<string>>>(collector.service.pipelines)) {
      for (const [part, names] of Object.entries(pipeline)) {
        for (const name of names) expect(Object.keys(collector[part])).toContain(name)
      }
    }
  })
})

describe("the Kubernetes example", () => {
  it("gives nodes only variables that the service reads, secrets by reference, and each its own address", () => {
    const given: ReadonlyArray<{ readonly name: string; readonly value?: string; readonly valueFrom?: object }> =
      container.env
    expect(given.map(({ name }) => name).filter((name) => !isVariable(name))).toEqual(["POD_IP"])
    const secret = given.filter(({ name }) => isVariable(name) && "secret" in environment[name])
    expect(secret.map(({ name }) => name)).toEqual([
      "DATABASE_URL",
      "REDIS_URL",
      "ENCRYPTION_KEY",
      "OPERATOR_TOKEN",
      "CLUSTER_SECRET"
    ])
    for (const one of secret)
      expect(one).toEqual({ name: one.name, valueFrom: { secretKeyRef: { name: "journeys", key: one.name } } })
    for (const { name, value } of given) {
      if (!isVariable(name) || value === undefined) continue
      expect([name, environment[name].parse(value.replace("$(POD_IP)", "10.0.0.7"))]).not.toEqual([name, undefined])
    }
  })

  it("probes paths that exist: live for restarts, ready for requests", () => {
    const paths = ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) => container[probe].httpGet.path)
    expect(paths).toEqual(["/health/live", "/health/live", "/health/ready"])
    for (const path of paths) expect(healthPaths).toContain(path)
    const named = ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) => container[probe].httpGet.port)
    expect(new Set(named)).toEqual(new Set(["ops"]))
    expect(container.env.find(({ name }: { readonly name: string }) => name === "OPS_PORT").value).toBe(opsPort)
  })

  it("names the ports of the image, and lets only nodes reach the port between nodes", () => {
    const ports: ReadonlyArray<{ readonly name: string; readonly containerPort: number }> = container.ports
    expect(ports.map(({ containerPort }) => String(containerPort))).toEqual([defaultPort, runnerPort, opsPort])
    const [open, inside, closed, ...others] = kind("NetworkPolicy").spec.ingress
    expect(others).toEqual([])
    expect(open).toEqual({ ports: [{ protocol: "TCP", port: "http" }] })
    expect(inside).toEqual({ from: [{ namespaceSelector: {} }], ports: [{ protocol: "TCP", port: "ops" }] })
    expect(closed).toEqual({
      from: [{ podSelector: { matchLabels: { app: "journeys" } } }],
      ports: [{ protocol: "TCP", port: "runner" }]
    })
  })

  it("selects the same pods everywhere, and leaves a stop enough time", () => {
    const labels = kind("Deployment").spec.template.metadata.labels
    for (const selected of [
      kind("Deployment").spec.selector.matchLabels,
      kind("Service").spec.selector,
      kind("PodDisruptionBudget").spec.selector.matchLabels,
      kind("NetworkPolicy").spec.podSelector.matchLabels
    ]) {
      expect(selected).toEqual(labels)
    }
    const stopEnds = 15
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      container.lifecycle.preStop.sleep.seconds + stopEnds
    )
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
  })
})

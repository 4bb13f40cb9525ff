{{/* What several templates share: names, metadata, pods, and the Deployment. */}}

{{- define "clanxp.name" -}}
{{- if contains "clanxp" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-clanxp{{ end }}
{{- end }}

{{- define "clanxp.selector" -}}
app.kubernetes.io/name: clanxp
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* Those of the chart are what selectors find, so operators cannot replace them. */}}
{{- define "clanxp.labels" -}}
{{- $own := include "clanxp.selector" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) -}}
{{- $values := index .root.Values .role | default dict -}}
{{- $added := merge (dict) (.labels | default dict) ($values.labels | default dict) .root.Values.labels -}}
{{- range $name := keys $added -}}
{{- if hasKey $own $name }}{{ fail (printf "labels: the chart itself sets %s" $name) }}{{ end -}}
{{- end -}}
{{- merge $own $added | toYaml }}
{{- end }}

{{/* `name`: after the release's, or empty. `labels`, `annotations`: more than those of the role and of all objects. */}}
{{- define "clanxp.metadata" -}}
{{- $values := index .root.Values .role | default dict -}}
name: {{ include "clanxp.name" .root }}{{ with .name }}-{{ . }}{{ end }}
labels: {{- include "clanxp.labels" . | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) ($values.annotations | default dict) .root.Values.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What operators add to the pods of a role: maps are merged, and the role's own win; lists are appended. */}}
{{- define "clanxp.extras" -}}
{{- $all := .root.Values -}}
{{- $own := index $all .role -}}
{{- $extras := dict -}}
{{- range $name := list "podAnnotations" "probes" -}}
{{- $_ := set $extras $name (merge (dict) (index $own $name | default dict) (index $all $name)) -}}
{{- end -}}
{{- range $name := list "extraEnv" "envFrom" "extraVolumes" "extraVolumeMounts" -}}
{{- $_ := set $extras $name (concat (index $all $name) (index $own $name | default list)) -}}
{{- end -}}
{{- range $extras.extraVolumes -}}
{{- if has .name (list "tmp" "ca") }}{{ fail (printf "extraVolumes: the chart itself has a volume %s" .name) }}{{ end -}}
{{- end -}}
{{- range $extras.extraVolumeMounts -}}
{{- if has .mountPath (list "/tmp" "/etc/clanxp") }}{{ fail (printf "extraVolumeMounts: the chart itself mounts %s" .mountPath) }}{{ end -}}
{{- end -}}
{{- toYaml $extras }}
{{- end }}

{{/* A pod without its containers: metadata, and the beginning of its spec. */}}
{{- define "clanxp.pod" -}}
{{- $values := index .root.Values .role -}}
metadata:
  labels: {{- include "clanxp.labels" . | nindent 4 }}
  {{- with (include "clanxp.extras" . | fromYaml).podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "clanxp.name" .root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.priorityClassName | default .root.Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    {{- if eq .role "backup" }}
    fsGroup: 1000
    {{- end }}
    seccompProfile: { type: RuntimeDefault }
  {{- range $name := list "nodeSelector" "tolerations" "affinity" }}
  {{- with index $values $name }}
  {{ $name }}: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end }}

{{/* A container may write into its volumes only. */}}
{{- define "clanxp.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The address of a role with an Ingress: `url`, or else the one that its Ingress serves. */}}
{{- define "clanxp.url" -}}
{{- if and .url .host (ne (urlParse .url).hostname .host) }}
{{- fail (printf "dashboard.url: its host is not dashboard.ingress.host (%s), and the dashboard rejects requests for any other name" .host) }}
{{- end }}
{{- if or .url .host }}{{ .url | default (printf "https://%s" .host) }}{{ end }}
{{- end }}

{{/* The roles that run, separated by spaces. */}}
{{- define "clanxp.roles" -}}
api worker notifier{{ if .Values.dashboard.enabled }} dashboard{{ end }}
{{- end }}

{{/* A role's Deployment: they differ in command, ports and who scales them. */}}
{{- define "clanxp.deployment" -}}
{{- $values := index .root.Values .role -}}
{{- $extras := include "clanxp.extras" . | fromYaml -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "clanxp.metadata" (dict "root" .root "role" .role "name" .role) | nindent 2 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $values) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "clanxp.selector" . | nindent 6 }}
  template:
    {{- include "clanxp.pod" . | nindent 4 }}
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      containers:
        - name: {{ .role }}
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ with .root.Values.image.digest }}@{{ . }}{{ end }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, {{ if eq .role "notifier" }}--optimize-for-size, --liftoff-only, {{ end }}apps/{{ .role }}/main.ts]
          env:
            - { name: HOST, value: 0.0.0.0 }
            {{- if eq .role "api" }}
            - { name: PORT, value: "8080" }
            {{- end }}
            {{- if eq .role "dashboard" }}
            - { name: DASHBOARD_PORT, value: "8081" }
            - { name: DASHBOARD_URL, value: {{ include "clanxp.url" (dict "url" $values.url "host" $values.ingress.host) | quote }} }
            - { name: DASHBOARD_PROXIES, value: {{ $values.proxies | quote }} }
            - { name: API_URL, value: {{ $values.apiUrl | default (include "clanxp.url" .root.Values.api.ingress) | quote }} }
            {{- with $values.oidc }}
            {{- if .issuer }}
            - { name: DASHBOARD_OIDC_ISSUER, value: {{ .issuer | quote }} }
            - { name: DASHBOARD_OIDC_CLIENT_ID, value: {{ required "dashboard.oidc.clientId: the client ID that the provider issued" .clientId | quote }} }
            - { name: DASHBOARD_OIDC_NAME, value: {{ .name | quote }} }
            - { name: DASHBOARD_OIDC_SCOPES, value: {{ .scopes | quote }} }
            - name: DASHBOARD_OIDC_CLIENT_SECRET
              valueFrom:
                secretKeyRef: { name: {{ $.root.Values.existingSecret }}, key: DASHBOARD_OIDC_CLIENT_SECRET }
            {{- end }}
            {{- end }}
            {{- end }}
            - { name: OPS_PORT, value: "9090" }
            {{- if eq .role "notifier" }}
            - { name: NODE_OPTIONS, value: --max-old-space-size=256 --max-semi-space-size=1 }
            - { name: DELIVERY_RETENTION_DAYS, value: {{ .root.Values.deliveryRetentionDays | quote }} }
            {{- else }}
            # With this heap a process stays below 600 MiB in all, which the memory limit must exceed.
            - { name: NODE_OPTIONS, value: --max-old-space-size=256 }
            {{- end }}
            # All but the API: the command line runs in the worker's container.
            {{- if ne .role "api" }}
            - name: SECRETS_KEY
              valueFrom:
                secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: SECRETS_KEY, optional: true }
            {{- with .root.Values.webhookAllowPrivate }}
            - { name: WEBHOOK_ALLOW_PRIVATE, value: {{ . | quote }} }
            {{- end }}
            {{- end }}
            - { name: LOG_LEVEL, value: {{ .root.Values.logLevel }} }
            {{- if eq .role "worker" }}
            - { name: BATCH_RETENTION_DAYS, value: {{ .root.Values.batchRetentionDays | quote }} }
            - { name: REVERSAL_RETENTION_DAYS, value: {{ .root.Values.reversalRetentionDays | quote }} }
            - { name: EVENT_RETENTION_DAYS, value: {{ .root.Values.eventRetentionDays | quote }} }
            - { name: BOARD_RETENTION_DAYS, value: {{ .root.Values.boardRetentionDays | quote }} }
            {{- end }}
            {{- range $name, $key := dict "MONGO_URL" $values.mongoUrlKey "REDIS_URL" "REDIS_URL" }}
            - name: {{ $name }}
              valueFrom:
                secretKeyRef: { name: {{ required "existingSecret: name a Secret with MONGO_URL and REDIS_URL" $.root.Values.existingSecret }}, key: {{ $key }} }
            {{- end }}
            {{- with $extras.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            {{- if .root.Values.caConfigMap }}
            - { name: NODE_EXTRA_CA_CERTS, value: /etc/clanxp/ca.crt }
            {{- end }}
          {{- with $extras.envFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            {{- if eq .role "dashboard" }}
            - { name: http, containerPort: 8081 }
            {{- end }}
            - { name: ops, containerPort: 9090 }
          # A process that waits for an unavailable MongoDB is alive.
          {{- range $name, $path := dict "liveness" "/livez" "readiness" "/readyz" "startup" "/livez" }}
          {{ $name }}Probe:
            httpGet: { path: {{ $path }}, port: ops }
            {{- index $extras.probes $name | toYaml | nindent 12 }}
          {{- end }}
          {{- if or (eq .role "api") (eq .role "dashboard") }}
          # Requests keep arriving until every node knows that the pod is terminating.
          lifecycle:
            preStop: { exec: { command: [sleep, "5"] } }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "clanxp.securityContext" . | nindent 12 }}
          # Node keeps its compiled code there, which halves the start; nothing needs it.
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if .root.Values.caConfigMap }}
            - { name: ca, mountPath: /etc/clanxp, readOnly: true }
            {{- end }}
            {{- with $extras.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
        {{- if .root.Values.caConfigMap }}
        - name: ca
          configMap: { name: {{ .root.Values.caConfigMap }} }
        {{- end }}
        {{- with $extras.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "clanxp.selector" . | nindent 14 }}
{{- end }}
